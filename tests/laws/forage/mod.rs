//! Discovery: catalogs, lists, searches and descriptions.

mod app;
mod catalog;
mod describe;
mod list;
mod relevance;
mod search;
mod servers;
