// The module `customers`, over a database of this Worker's own: the programs that call it run in
// Mycelium's isolates and never see the database.

import { z } from "zod";
import type { Module } from "../../../mycelium.d.ts";
import { operation } from "./operation.ts";

const Customer = z.object({ id: z.int(), name: z.string(), notes: z.array(z.string()) });
const Id = z.object({ id: z.int().positive() }).strict();

/** The tables, as a new database needs them, with two customers to begin with. */
export const TABLES = [
  "CREATE TABLE IF NOT EXISTS customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS notes (customer INTEGER NOT NULL, text TEXT NOT NULL)",
  "INSERT INTO customers (id, name) SELECT column1, column2 FROM (VALUES (1, 'Ada Lovelace'), (2, 'Grace Hopper')) WHERE NOT EXISTS (SELECT 1 FROM customers)",
];

/** The module, over `db`. */
export function customers(db: D1Database): Module {
  return {
    id: "support-customers",
    name: "customers",
    description: "The customers of the support desk.",
    operations: {
      find: operation(
        {
          description: "Finds customers by a part of their name.",
          input: z.object({ name: z.string().min(1) }).strict(),
          output: z.array(Customer),
          access: "read",
          replay: "safe",
        },
        async ({ name }) => {
          const found = await db
            .prepare("SELECT id, name FROM customers WHERE name LIKE ?1 ORDER BY id")
            .bind(`%${name}%`)
            .all<{ id: number; name: string }>();
          return Promise.all(found.results.map(async (row) => ({ ...row, notes: await notes(db, row.id) })));
        },
      ),
      note: operation(
        {
          description: "Adds a note to a customer.",
          input: Id.extend({ text: z.string().min(1).max(2_000) }),
          output: z.object({ notes: z.int() }),
        },
        async ({ id, text }) => {
          await known(db, id);
          await db.prepare("INSERT INTO notes (customer, text) VALUES (?1, ?2)").bind(id, text).run();
          return { notes: (await notes(db, id)).length };
        },
      ),
      erase: operation(
        {
          description: "Erases a customer with all notes. A person is asked first.",
          input: Id,
          output: z.object({ erased: z.boolean() }),
          confirm: true,
        },
        async ({ id }) => {
          await known(db, id);
          await db.batch([
            db.prepare("DELETE FROM notes WHERE customer = ?1").bind(id),
            db.prepare("DELETE FROM customers WHERE id = ?1").bind(id),
          ]);
          return { erased: true };
        },
      ),
    },
  };
}

async function notes(db: D1Database, id: number): Promise<string[]> {
  const found = await db.prepare("SELECT text FROM notes WHERE customer = ?1 ORDER BY rowid").bind(id).all<{ text: string }>();
  return found.results.map((row) => row.text);
}

/** The model is shown this message. */
async function known(db: D1Database, id: number): Promise<void> {
  const found = await db.prepare("SELECT id FROM customers WHERE id = ?1").bind(id).first();
  if (found === null) throw new Error(`there is no customer ${id}: look it up with customers.find`);
}
