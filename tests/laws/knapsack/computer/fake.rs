//! A computer that a test scripts.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures::{FutureExt, future::LocalBoxFuture};
use mycelium::{
    knapsack::computer::{Computer, ComputerError},
    operation::Context,
};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Manner {
    #[default]
    Answers,
    Rejects,
    Hangs,
    Panics,
}

/// How many computers are asked at once.
#[derive(Clone, Default)]
pub(crate) struct Asked {
    open: Rc<Cell<usize>>,
    pub(crate) most: Rc<Cell<usize>>,
    pub(crate) times: Rc<Cell<usize>>,
}

struct Open(Asked);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.set(self.0.open.get() - 1);
    }
}

impl Asked {
    fn one(&self) -> Open {
        self.open.set(self.open.get() + 1);
        self.times.set(self.times.get() + 1);
        self.most.set(self.most.get().max(self.open.get()));
        assert!(self.open.get() <= 6, "the platform has six connections");
        Open(self.clone())
    }

    pub(crate) fn open(&self) -> usize {
        self.open.get()
    }
}

#[derive(Clone)]
pub(crate) struct Fake {
    pub(crate) manner: Rc<Cell<Manner>>,
    pub(crate) advertisement: Rc<RefCell<Value>>,
    pub(crate) answer: Rc<RefCell<Result<Value, ComputerError>>>,
    pub(crate) calls: Rc<RefCell<Vec<(String, Value, Context)>>>,
    pub(crate) asked: Asked,
}

pub(crate) fn advertisement() -> Value {
    json!({"operations": {
        "windows.open": {
            "description": "Opens a window.",
            "input": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]},
            "output": {"type": "object"},
            "notes": ["One window at a time."],
            "instructions": "Close it afterwards.",
        },
    }})
}

impl Fake {
    pub(crate) fn new(manner: Manner, asked: &Asked) -> Self {
        Self {
            manner: Rc::new(Cell::new(manner)),
            advertisement: Rc::new(RefCell::new(advertisement())),
            answer: Rc::new(RefCell::new(Ok(json!({})))),
            calls: Rc::default(),
            asked: asked.clone(),
        }
    }

    pub(crate) fn advertising(advertisement: Value) -> Self {
        let fake = Self::new(Manner::Answers, &Asked::default());
        fake.advertisement.replace(advertisement);
        fake
    }
}

impl Computer for Fake {
    fn describe(&self) -> LocalBoxFuture<'static, Result<Value, ComputerError>> {
        let fake = self.clone();
        async move {
            let _open = fake.asked.one();
            match fake.manner.get() {
                Manner::Answers => Ok(fake.advertisement.borrow().clone()),
                Manner::Rejects => {
                    Err(ComputerError::NotDone { evidence: "canary of a computer".to_owned() })
                }
                Manner::Hangs => std::future::pending().await,
                Manner::Panics => panic!("a provider"),
            }
        }
        .boxed_local()
    }

    fn call(
        &self,
        operation: String,
        input: Value,
        context: Context,
    ) -> LocalBoxFuture<'static, Result<Value, ComputerError>> {
        self.calls.borrow_mut().push((operation, input, context));
        let answer = self.answer.borrow().clone();
        async move { answer }.boxed_local()
    }
}
