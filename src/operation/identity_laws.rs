//! Laws of identity that hold for whatever is declared, in whatever order.

use proptest::prelude::*;
use serde_json::json;

use super::{Catalog, DefinitionError, Module, Operation};

fn operation() -> Operation {
    Operation::new(json!({}), |_, _| async { Ok(json!(null)) })
}

/// What a module is built of, so that it can be built in any order.
#[derive(Clone, Debug)]
struct Plan {
    namespace: Vec<String>,
    name: String,
    members: Vec<Member>,
}

#[derive(Clone, Debug)]
enum Member {
    Operation(String),
    Child(String, Vec<String>, String),
}

/// Modules by the number in their ids.
type Numbered = Vec<(usize, Plan)>;

fn plan() -> impl Strategy<Value = Plan> {
    let name = || "[ab](_2)?";
    let key = || prop_oneof![19 => "[abcd](\\.[abcd]){0,2}", 1 => "[ab]\\.1"];
    let namespace = || prop::collection::vec("[ab]", 0..2);
    let member = prop_oneof![
        key().prop_map(Member::Operation),
        (key(), namespace(), key()).prop_map(|(at, space, key)| Member::Child(at, space, key)),
    ];
    (namespace(), name(), prop::collection::vec(member, 0..3))
        .prop_map(|(namespace, name, members)| Plan { namespace, name, members })
}

fn build((number, plan): &(usize, Plan)) -> Module {
    let module = Module::new(format!("id{number}"), &plan.name).namespace(&plan.namespace);
    plan.members.iter().fold(module, |module, member| match member {
        Member::Operation(key) => module.operation(key, operation()),
        Member::Child(at, namespace, key) => {
            let child = Module::new("c", "c").namespace(namespace).operation(key, operation());
            module.module(at, child)
        }
    })
}

fn facts(plans: &[(usize, Plan)]) -> Result<Vec<[String; 3]>, DefinitionError> {
    let catalog = Catalog::new(plans.iter().map(build))?;
    let facts = catalog
        .entries()
        .iter()
        .map(|entry| [entry.path(), entry.module(), entry.operation_path()].map(str::to_owned));
    Ok(facts.collect())
}

/// Modules, and the same ones declared in another order, their members too.
fn shuffled() -> impl Strategy<Value = (Numbered, Numbered)> {
    let plans = prop::collection::vec(plan(), 0..6);
    let numbered = plans.prop_map(|plans| plans.into_iter().enumerate().collect::<Vec<_>>());
    numbered.prop_flat_map(|plans| {
        let turned = plans.clone().into_iter().map(|(number, mut plan)| {
            plan.members.reverse();
            (number, plan)
        });
        let turned: Vec<_> = turned.collect();
        (Just(plans), Just(turned).prop_shuffle())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_order_of_registration_shows_in_paths_ids_or_errors((one, other) in shuffled()) {
        prop_assert_eq!(facts(&one), facts(&other));
    }

    #[test]
    fn a_conflict_is_found_exactly_where_there_is_one(
        keys in prop::collection::vec("[ab]{1,2}(\\.[ab]{1,2}){0,2}", 0..6),
    ) {
        let one = |module: Module, key: &String| module.operation(key, operation());
        let module = keys.iter().fold(Module::new("m", "m"), one);
        let clash = |left: &str, right: &str| {
            left == right || right.starts_with(&format!("{left}."))
        };
        let expected = (0..keys.len()).any(|left| {
            (0..keys.len()).any(|right| left != right && clash(&keys[left], &keys[right]))
        });
        prop_assert_eq!(Catalog::new([module]).is_err(), expected);
    }

    #[test]
    fn every_operation_is_found_at_its_path_and_nothing_beside_it((plans, _) in shuffled()) {
        let Ok(catalog) = Catalog::new(plans.iter().map(build)) else { return Ok(()) };
        for entry in catalog.entries() {
            prop_assert_eq!(catalog.find(entry.path()).unwrap().path(), entry.path());
            let beyond = format!("{}.z", entry.path());
            prop_assert!(catalog.find(&beyond).is_none());
        }
        prop_assert!(catalog.find("").is_none());
    }
}
