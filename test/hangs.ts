/**
 * After so many ms that which is waited for counts as hanging. A limit decides no test: it is far above what a machine
 * takes that has thirty other things to do.
 */
export const HANGS = 120_000

/** As HANGS, for the build of an application. */
export const BUILDS = 8 * HANGS
