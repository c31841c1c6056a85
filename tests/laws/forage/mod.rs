//! Discovery: catalogs, lists, searches and descriptions.

mod catalog;
mod describe;
mod list;
mod relevance;
mod search;
mod servers;
