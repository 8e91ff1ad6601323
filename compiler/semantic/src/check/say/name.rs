//! Names that mean nothing, or not what they should.

use crate::check::Checker;
use crate::diagnostic::{Edit, Fix};
use crate::diagnostics::{codes, names as say};
use crate::modules::std_file;
use crate::names::{self, Found, Kind, Module, nearest, synonyms};
use crate::types;
use ntl_syntax::ast::{Name, Span};
use smol_str::SmolStr;

impl Checker<'_> {
    /// A name that is no value: perhaps something else has it, perhaps another was meant.
    pub(in crate::check) fn say_unknown_name(&mut self, name: &Name) {
        let (db, file, text) = (self.db, self.def.file, name.text.as_str());
        let place = self.place(name.span);
        if matches!(names::lookup(db, file, Kind::Type, text), Found::Yes(_)) {
            return self.tell(self.said(codes::NOT_A_VALUE, name.span, format!("`{text}` is a type, not a value")));
        }
        if matches!(names::lookup(db, file, Kind::Callable, text), Found::Yes(_)) {
            return self.say_function_value(name);
        }
        if names::module(db, file, text).is_some() {
            let message = format!("`{text}` is a module, not a value");
            return self.tell(
                self.said(codes::NOT_A_VALUE, name.span, message).note(format!("take something of it: `{text}.name`")),
            );
        }
        let unknown = self.said(codes::UNKNOWN_NAME, name.span, format!("unknown name `{text}`"));
        if std_file(db, text).is_some() {
            let note =
                format!("`std.{text}` is a module of the library: write `use std.{text}` at the top of the file");
            let told = unknown.note(note);
            return self.tell(match self.before_dot == Some(name.span) {
                true => told.mend(Fix::new(format!("add `use std.{text}`"), Vec::new()).using(text)),
                false => told,
            });
        }
        if let Some(ours) = synonyms::value(text) {
            let message = format!("`{text}` is written `{ours}`");
            return self.tell(self.said(codes::UNKNOWN_NAME, name.span, message).fix(
                format!("write `{ours}`"),
                place,
                ours,
            ));
        }
        let near = self.near_name(text);
        self.tell(unknown.suggest(near, place));
    }

    /// The name in sight that was probably meant. A binding that was meant is not called unused as well.
    fn near_name(&mut self, text: &str) -> Option<SmolStr> {
        self.searches_left = self.searches_left.checked_sub(1)?;
        let local = nearest(text, self.names_in_sight());
        if let Some(local) = &local
            && let Some(id) = self.sees(local)
        {
            self.info(id).used = true;
            return Some(local.clone());
        }
        let all = names::names_in_scope(self.db, self.def.file, Kind::Value);
        nearest(text, all.iter().map(SmolStr::as_str).chain(["true", "false", "null"]))
    }

    pub(in crate::check) fn say_unknown_function(&mut self, name: &Name) {
        let text = name.text.as_str();
        let place = self.place(name.span);
        if let Some(id) = self.sees(text) {
            self.info(id).used = true;
            let shown = self.show_wide(&self.local_of(id).ty.clone());
            let message = format!("`{text}` is a value of type `{shown}`, not a function");
            if !types::has_unknown(&self.local_of(id).ty) {
                self.tell(self.said(codes::NOT_CALLED, name.span, message));
            }
            self.doing.failed = true;
            return;
        }
        let all = names::names_in_scope(self.db, self.def.file, Kind::Callable);
        let near = nearest(text, all.iter().map(SmolStr::as_str));
        let unknown = self.said(codes::UNKNOWN_FUNCTION, name.span, format!("unknown function `{text}`"));
        if let Some(ours) = synonyms::function(text) {
            let told = unknown.note(format!("it is called `{ours}` here"));
            let fix = Fix::new(format!("use `{ours}`"), vec![Edit::instead(place, ours)]).guessed();
            return self.tell(told.mend(match ours.split_once('.') {
                Some((module, _)) if names::module(self.db, self.def.file, module).is_none() => fix.using(module),
                _ => fix,
            }));
        }
        if let Some(module) = self.module_with(text) {
            let used = names::module(self.db, self.def.file, &module).is_some();
            let how = if used { String::new() } else { format!(", with `use std.{module}` at the top of the file") };
            let edits = vec![Edit::before(place, format!("{module}."))];
            let fix = Fix::new(format!("use `{module}.{text}`"), edits).guessed();
            let fix = if used { fix } else { fix.using(module.clone()) };
            return self.tell(unknown.note(format!("there is `{module}.{text}`{how}")).mend(fix));
        }
        self.tell(unknown.suggest(near, place));
    }

    /// A module of the library that has a function of a name: for people who leave the module out.
    fn module_with(&self, text: &str) -> Option<SmolStr> {
        let mut modules = crate::modules::std_modules(self.db).filter(|module| *module != "core");
        modules
            .find(|module| {
                std_file(self.db, module).is_some_and(|file| {
                    matches!(names::member(self.db, Module::File(file), Kind::Callable, text), Found::Yes(_))
                })
            })
            .cloned()
    }

    pub(in crate::check) fn say_private(&mut self, name: &Name, module: Module) {
        let Module::File(file) = module else { return };
        self.tell(say::private(self.place(name.span), &name.text, file.path(self.db)));
    }

    /// A name that a module does not have, or not as this kind of thing.
    pub(in crate::check) fn say_unknown_member(&mut self, name: &Name, module: Module, kind: Kind) {
        let Module::File(file) = module else { return };
        let title = names::module_name(self.db, module);
        let has = |kind| matches!(names::member(self.db, module, kind, &name.text), Found::Yes(_));
        if kind == Kind::Value && has(Kind::Callable) {
            return self.say_function_value(name);
        }
        if kind == Kind::Callable && has(Kind::Value) {
            let message = format!("`{}` is a value, not a function", name.text);
            return self.tell(self.said(codes::NOT_CALLED, name.span, message));
        }
        let known = names::member_names(self.db, file, kind);
        let synonym = crate::modules::std_module(self.db, file).and_then(|home| synonyms::method(home, &name.text));
        let synonym = synonym.filter(|ours| known.iter().any(|known| known == ours)).map(SmolStr::new_static);
        let near = synonym.or_else(|| nearest(&name.text, known));
        self.tell(say::unknown_member(self.place(name.span), &name.text, &title, near));
    }

    /// A function where a value is wanted.
    pub(in crate::check) fn say_function_value(&mut self, name: &Name) {
        let message = format!("`{0}` is a function: call it, `{0}(…)`", name.text);
        let note = "functions are no values: they are called, or given to a pure function such as `map`";
        let told = self.said(codes::NOT_A_VALUE, name.span, message).note(note);
        let takes_nothing = |def: &crate::db::Def| {
            crate::query::signature(self.db, def)
                .is_some_and(|signature| signature.params.iter().all(|param| param.optional))
        };
        let is_plain = self.before_dot != Some(name.span) && self.sees(&name.text).is_none();
        self.tell(match names::lookup(self.db, self.def.file, Kind::Callable, &name.text) {
            Found::Yes(defs) if is_plain && defs.iter().any(takes_nothing) => {
                let edit = Edit::after(self.place(name.span), "()");
                told.mend(Fix::new(format!("write `{}()`", name.text), vec![edit]).guessed())
            }
            _ => told,
        });
    }

    pub(in crate::check) fn say_constructor_as_function(&mut self, name: &Name) {
        let message = format!("`{}` is a type: its values are built with named fields", name.text);
        self.tell(
            self.said(codes::NOT_A_VALUE, name.span, message).note(format!("write `x => {}(field: x)`", name.text)),
        );
    }

    pub(in crate::check) fn say_bound_twice(&mut self, name: &Name, first: Span, is_param: bool) {
        let message = format!("`{}` is bound already", name.text);
        let first = self.place(first);
        let words = if is_param { "it is a parameter" } else { "it is bound here" };
        let note = "a name is bound once in a body, in whatever order the lines stand: give the second value a name of its own";
        self.tell(self.said(codes::BOUND_TWICE, name.span, message).label(first, words).note(note));
    }

    /// Bindings that need each other: each name with the place where it names the next.
    pub(in crate::check) fn say_cycle(&mut self, cycle: &[(Name, Span)]) {
        let Some((first, _)) = cycle.first() else { return };
        /// How many steps of a long way round are shown.
        const SHOWN: usize = 8;
        let mut path: Vec<String> = cycle.iter().take(SHOWN).map(|(name, _)| format!("`{}`", name.text)).collect();
        if cycle.len() > SHOWN {
            path.push("…".to_owned());
        }
        path.push(format!("`{}`", first.text));
        let message = match cycle {
            [_] => format!("`{}` needs itself", first.text),
            _ => format!("these bindings need each other in a cycle: {}", path.join(" → ")),
        };
        let mut diagnostic = self.said(codes::BINDING_CYCLE, first.span, message);
        for (at, (name, span)) in cycle.iter().enumerate().take(SHOWN) {
            let next = cycle.get(at + 1).map_or(&first.text, |(next, _)| &next.text);
            diagnostic = diagnostic.label(self.place(*span), format!("`{}` needs `{next}`", name.text));
        }
        if cycle.len() == 1 {
            diagnostic = diagnostic.note(
                "a value never changes: give the new one another name; `loop` carries a value from round to round",
            );
        }
        self.tell(diagnostic);
    }

    pub(in crate::check) fn say_later_in_seq(&mut self, span: Span, later: Span) {
        let message = "this is bound further down, and `seq` runs in written order";
        self.tell(self.said(codes::LATER_IN_SEQ, span, message).label(self.place(later), "it is bound here"));
    }
}
