//! A bucket as R2 is one, whose faults a test sets.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::knapsack::files::{
    ByteRange, Condition, Object, ObjectPage, ObjectStore, Objects, StoreError,
};

/// Objects by key, each with its etag.
type Stored = BTreeMap<String, (Vec<u8>, u64)>;

/// The number of a put, and what is done before it.
type Meanwhile = Option<(u64, Box<dyn FnOnce()>)>;

#[derive(Clone, Default)]
pub(crate) struct Bucket {
    objects: Rc<RefCell<Stored>>,
    puts: Rc<Cell<u64>>,
    /// The put of this number, from 1, fails, after or before it was done.
    pub(crate) failing_put: Rc<Cell<Option<(u64, bool)>>>,
    /// Done before the put of this number.
    pub(crate) meanwhile: Rc<RefCell<Meanwhile>>,
    pub(crate) gets: Rc<Cell<u64>>,
}

impl Bucket {
    pub(crate) fn set(&self, key: &str, content: &[u8]) {
        self.puts.set(self.puts.get() + 1);
        self.objects.borrow_mut().insert(key.to_owned(), (content.to_vec(), self.puts.get()));
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let objects = self.objects.borrow();
        objects.get(key).map(|(content, _)| String::from_utf8(content.clone()).unwrap())
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.objects.borrow().keys().cloned().collect()
    }

    fn stored(&self, key: &str, content: Vec<u8>, condition: &Condition) -> bool {
        let there = self.objects.borrow().get(key).map(|(_, etag)| etag.to_string());
        let holds = match condition {
            Condition::Always => true,
            Condition::Absent => there.is_none(),
            Condition::Etag(etag) => there.as_ref() == Some(etag),
        };
        if holds {
            self.objects.borrow_mut().insert(key.to_owned(), (content, self.puts.get()));
        }
        holds
    }
}

fn failed<T>() -> Result<T, StoreError> {
    Err(StoreError { evidence: "canary of the bucket".to_owned() })
}

impl ObjectStore for Bucket {
    fn get(
        &self,
        key: String,
        range: ByteRange,
    ) -> LocalBoxFuture<'static, Result<Option<Object>, StoreError>> {
        self.gets.set(self.gets.get() + 1);
        let objects = self.objects.borrow();
        let object = objects.get(&key).map(|(content, etag)| {
            let from = usize::try_from(range.offset).unwrap().min(content.len());
            let to = (from + range.length).min(content.len());
            let bytes = content[from..to].to_vec();
            Object { bytes, total: content.len() as u64, etag: etag.to_string() }
        });
        async move { Ok(object) }.boxed_local()
    }

    fn put(
        &self,
        key: String,
        content: Vec<u8>,
        condition: Condition,
    ) -> LocalBoxFuture<'static, Result<bool, StoreError>> {
        let bucket = self.clone();
        async move {
            bucket.puts.set(bucket.puts.get() + 1);
            let due = |at: u64| at == bucket.puts.get();
            let meanwhile = bucket.meanwhile.borrow_mut().take_if(|(at, _)| due(*at));
            if let Some((_, done)) = meanwhile {
                done();
            }
            match bucket.failing_put.get().filter(|(at, _)| due(*at)) {
                Some((_, true)) => {
                    bucket.stored(&key, content, &condition);
                    failed()
                }
                Some((_, false)) => failed(),
                None => Ok(bucket.stored(&key, content, &condition)),
            }
        }
        .boxed_local()
    }

    fn delete(&self, key: String) -> LocalBoxFuture<'static, Result<(), StoreError>> {
        self.objects.borrow_mut().remove(&key);
        async { Ok(()) }.boxed_local()
    }

    fn list(&self, asked: Objects) -> LocalBoxFuture<'static, Result<ObjectPage, StoreError>> {
        assert!((1..=1_000).contains(&asked.limit), "R2 refuses other limits");
        let mut page = ObjectPage::default();
        let mut folders = BTreeSet::new();
        let after = asked.cursor.unwrap_or_default();
        for (key, (content, _)) in self.objects.borrow().iter() {
            let Some(rest) = key.strip_prefix(&asked.prefix).filter(|_| *key > after) else {
                continue;
            };
            if page.objects.len() + folders.len() == asked.limit {
                break;
            }
            match rest.split_once('/').filter(|_| asked.folders) {
                Some((folder, _)) => {
                    folders.insert(format!("{}{folder}/", asked.prefix));
                }
                None => page.objects.push((key.clone(), content.len() as u64)),
            }
            page.cursor = Some(key.clone());
        }
        let last =
            self.objects.borrow().keys().rfind(|key| key.starts_with(&asked.prefix)).cloned();
        if page.cursor >= last {
            page.cursor = None;
        }
        page.folders = folders.into_iter().collect();
        async move { Ok(page) }.boxed_local()
    }
}
