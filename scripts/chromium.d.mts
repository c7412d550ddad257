/**
 * The path of a Chromium on this machine: CHROMIUM_PATH if it is set, else the first one found; undefined if there is
 * none.
 */
export function findChromium(): string | undefined
