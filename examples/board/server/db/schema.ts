/** The schema of our tables, which avoids name conflicts in a shared database. */
export const SCHEMA = 'board'
