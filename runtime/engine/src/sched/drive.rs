//! Loops: what begins bodies one after the other and takes their results.

mod items;
mod rounds;

pub(super) use items::Item;

use super::Scheduler;
use super::flow::Flow;
use ntl_plan::RegionId;

/// A loop that runs.
pub(super) enum Job {
    For(items::For),
    Loop(rounds::Loop),
    Flow(Box<Flow>),
}

/// Loops that run, and those among them that may begin a body.
#[derive(Default)]
pub(super) struct Jobs {
    /// With whether their bodies wait for the world: those are begun first.
    arena: Vec<Option<(Job, bool)>>,
    free: Vec<u32>,
    eager: Vec<u32>,
    others: Vec<u32>,
}

impl Jobs {
    pub fn add(&mut self, job: Job, is_eager: bool) -> u32 {
        if let Some(id) = self.free.pop() {
            self.arena[id as usize] = Some((job, is_eager));
            return id;
        }
        self.arena.push(Some((job, is_eager)));
        self.arena.len() as u32 - 1
    }

    pub fn remove(&mut self, id: u32) -> Option<Job> {
        let (job, _) = self.arena.get_mut(id as usize)?.take()?;
        self.free.push(id);
        Some(job)
    }

    /// It may begin a body: before those that were queued earlier, so that an inner loop comes before the outer one.
    pub fn queue(&mut self, id: u32) {
        match self.arena.get(id as usize) {
            Some(Some((_, true))) => self.eager.push(id),
            Some(Some((_, false))) => self.others.push(id),
            _ => {}
        }
    }

    fn get(&mut self, id: u32) -> Option<&mut Job> {
        self.arena.get_mut(id as usize)?.as_mut().map(|(job, _)| job)
    }

    fn items(&mut self, id: u32) -> Option<&mut items::For> {
        if let Some(Job::For(job)) = self.get(id) { Some(job) } else { None }
    }

    fn rounds(&mut self, id: u32) -> Option<&mut rounds::Loop> {
        if let Some(Job::Loop(job)) = self.get(id) { Some(job) } else { None }
    }

    pub fn flow(&mut self, id: u32) -> Option<&mut Flow> {
        if let Some(Job::Flow(job)) = self.get(id) { Some(job) } else { None }
    }

    pub fn flow_ref(&self, id: u32) -> Option<&Flow> {
        match self.arena.get(id as usize) {
            Some(Some((Job::Flow(job), _))) => Some(job),
            _ => None,
        }
    }

    /// The flows that there are, with their ids.
    pub fn flows(&self) -> impl Iterator<Item = (u32, &Flow)> {
        (0..).zip(&self.arena).filter_map(|(id, job)| match job {
            Some((Job::Flow(flow), _)) => Some((id, &**flow)),
            _ => None,
        })
    }

    /// Brings another job to the front of those that wait.
    pub fn mix(&mut self, random: usize) {
        for list in [&mut self.eager, &mut self.others] {
            if let Some(last) = list.len().checked_sub(1) {
                list.swap(random % (last + 1), last);
            }
        }
    }
}

impl Scheduler<'_> {
    /// Lets one loop begin one body; whether there was one.
    pub(super) fn drive_next(&mut self) -> bool {
        let Some(id) = self.jobs.eager.pop().or_else(|| self.jobs.others.pop()) else { return false };
        match self.jobs.get(id) {
            Some(Job::For(_)) => self.drive_for(id),
            Some(Job::Flow(_)) => self.advance(id),
            Some(Job::Loop(_)) | None => {}
        }
        true
    }

    pub(super) fn add_job(&mut self, job: Job, body: RegionId) -> u32 {
        self.jobs.add(job, self.traits[body.at()].waits)
    }
}
