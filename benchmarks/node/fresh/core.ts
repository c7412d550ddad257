/** All of core, to time how long an engine takes to read and evaluate it. */
export * from '@roundtable/core'
