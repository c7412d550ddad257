/** The schema that holds our tables: in a database that somebody else uses too, no name is in the way. */
export const SCHEMA = 'board'
