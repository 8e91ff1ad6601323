//! What is harmless, but surely not meant.

use crate::check::Checker;
use crate::check::files::{Access, Does};
use crate::diagnostic::{Edit, Fix};
use crate::diagnostics::codes;
use crate::hir;
use crate::names;
use ntl_syntax::Side;
use ntl_syntax::ast::{self, Name, Span};
use smol_str::SmolStr;

impl Checker<'_> {
    /// `reads` if what it is made of reads files or the like, which is then not done.
    pub(in crate::check) fn warn_unused(&mut self, name: &SmolStr, span: Span, reads: bool) {
        let place = self.place(span);
        let written = format!("_{name}");
        let done = if reads { "read" } else { "computed" };
        let told = self.said(codes::UNUSED_BINDING, span, format!("`{name}` is not used, so it is not {done}"));
        let told = if reads { told.note("a call without a name is made for itself") } else { told };
        self.tell(told.fix(
            format!("if that is meant, call it `{written}`"),
            place,
            crate::diagnostic::written_name(&written),
        ));
    }

    pub(in crate::check) fn warn_no_effect(&mut self, tree: &ast::Expr, is_text: bool) {
        let told = self.said(codes::NO_EFFECT, tree.span, "this has no effect, and nobody uses its value");
        let told = match &tree.kind {
            ast::ExprKind::Binary { op: ast::BinaryOp::Eq, op_span, left, .. }
                if matches!(left.kind, ast::ExprKind::Name(_)) =>
            {
                told.mend(Fix::new("write `=`", vec![Edit::instead(self.place(*op_span), "=")]).guessed())
            }
            _ => {
                let edit = Edit { place: self.place(tree.span), side: Side::Lines, text: String::new() };
                told.mend(Fix::new("leave it out", vec![edit]).guessed())
            }
        };
        self.tell(match (&tree.kind, is_text) {
            (_, true) => told.note("a comment begins with `//`"),
            (ast::ExprKind::Binary { op: ast::BinaryOp::Eq, .. }, _) => told.note("a binding is written with one `=`"),
            _ => told.note("bind it to a name, or leave it out"),
        });
    }

    pub(in crate::check) fn warn_hidden_module(&mut self, name: &Name) {
        let Some(place) = names::module_place(self.db, self.def.file, &name.text) else { return };
        let message = format!("`{}` hides the module of that name, which is used here", name.text);
        self.tell(self.said(codes::HIDDEN_MODULE, name.span, message).label(place, "the module is brought in here"));
    }

    /// `match n { MAX => … }` binds `MAX` anew; it was probably meant to be compared.
    pub(in crate::check) fn warn_hidden_const(&mut self, name: &Name) {
        let is_constant = name.text.starts_with(char::is_uppercase)
            && matches!(names::lookup(self.db, self.def.file, names::Kind::Value, &name.text), names::Found::Yes(_));
        if is_constant {
            let message =
                format!("a pattern binds a name anew: this takes any value, not only the constant `{}`", name.text);
            let note = format!("compare with it: `x if x == {} => …`", name.text);
            self.tell(self.said(codes::HIDDEN_CONST, name.span, message).note(note));
        }
    }

    pub(in crate::check) fn warn_needless_default(&mut self, value: &hir::Expr, span: Span, right: &ast::Expr) {
        let shown = self.show_wide(&value.ty);
        let told = self.said(
            codes::NEEDLESS_NULL,
            span,
            format!("`{shown}` is never null, so what stands after `??` is never used"),
        );
        let place = self.place(span.to(right.span));
        self.tell(told.fix("leave `??` out", place, ""));
    }

    pub(in crate::check) fn warn_needless_chain(&mut self, value: &hir::Expr, span: Span) {
        let shown = self.show_wide(&value.ty);
        let message = format!("`{shown}` is never null: `.` will do instead of `?.`");
        let dot = self.place(Span::new(span.first.saturating_sub(1), span.first));
        self.tell(self.said(codes::NEEDLESS_NULL, span, message).fix("write `.`", dot, "."));
    }

    pub(in crate::check) fn warn_unreachable(&mut self, arm: &ast::Arm) {
        let told = self.said(codes::UNREACHABLE, arm.pattern.span, "this arm is never reached");
        let place = self.place(arm.pattern.span.to(arm.body.span));
        let edit = Edit { place, side: Side::Lines, text: String::new() };
        let fix = Fix::new("take the arm out", vec![edit]).guessed();
        self.tell(told.note("the arms before it take all that it would").mend(fix));
    }

    pub(in crate::check) fn warn_repeated_key(&mut self, again: Span, first: Span) {
        let first = self.place(first);
        let told = self.said(codes::REPEATED_KEY, again, "this key is given twice: the later value wins");
        self.tell(told.label(first, "it is given here first"));
    }

    pub(in crate::check) fn warn_risky(&mut self, name: &SmolStr, call: Span, retry: Span) {
        let call = self.place(call);
        let message = format!("`{name}` is not known to be safe to retry: what it does may happen twice");
        self.tell(self.said(codes::RISKY_RETRY, retry, message).label(call, format!("`{name}` is called here")));
    }

    /// The second is in the first if they are not of one path.
    pub(in crate::check) fn warn_unordered(&mut self, first: &Access, second: &Access) {
        let is_one = first.path == second.path;
        // A read is told where it stands, of two changes the later one.
        let is_turned = second.does != Does::Reads && is_one && (first.does == Does::Reads || first.span > second.span);
        let (first, second) = if is_turned { (second, first) } else { (first, second) };
        let shown = &second.shown;
        let (message, label, note) = match (first.does, second.does) {
            (_, Does::Reads) => (
                format!("{shown} may be read before it is written: nothing orders the two"),
                "it is written here",
                "give the write a name and wait for it: `fs.read(…) after saved`",
            ),
            (Does::MakesFolder, _) if !is_one => (
                format!("{shown} may be written before its folder is made: nothing orders the two"),
                "the folder is made here",
                "in the order in which they are written: `seq { fs.mkdir(…); fs.write(…) }`",
            ),
            _ => (
                format!("{shown} is changed in two places, and nothing says which comes first"),
                if is_one { "the other one" } else { "what it is in is changed here" },
                "in the order in which they are written: `seq { … }`; one that waits for another: `… after first`",
            ),
        };
        let label_place = self.place(first.span);
        self.tell(self.said(codes::UNORDERED_FILES, second.span, message).label(label_place, label).note(note));
    }

    pub(in crate::check) fn warn_deprecated(&mut self, name: &SmolStr, instead: &SmolStr, span: Span) {
        self.tell(self.said(codes::DEPRECATED, span, format!("`{name}` is deprecated: {instead}")));
    }
}
