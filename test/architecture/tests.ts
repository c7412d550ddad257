/** Each of these depends on a clock: a time that must be short, or a custom limit. */
const FORBIDDEN = [
  /expect\(.*(?:performance\.now|Date\.now|hrtime|cpuUsage)\b(?!.*toBeGreaterThan)/,
  / - (?:Date|performance)\.now\(\)/,
  /\bvi\.wait(?:For|Until)\((?!.*HANGS)/,
  /\bexpect\.poll\(.*\btimeout: (?!HANGS)/,
  /\bsetDefault(?:Navigation)?Timeout\((?!HANGS)/,
  /^\s*(?:test|it|describe)\b.*, \{ timeout: (?!HANGS)/,
]
/** The testing library waits for a second by default. */
const LIBRARY = /from '@testing-library\//
const WAITS = /\b(?:waitFor|find(?:All)?By\w+)\(/

/** The lines of a test by which a slow machine fails. */
export function decidedByClock(text: string): string[] {
  const isShort = LIBRARY.test(text) && !/\b(?:asyncUtilTimeout|timeout): HANGS/.test(text)
  return text
    .split('\n')
    .filter((line) => FORBIDDEN.some((rule) => rule.test(line)) || (isShort && WAITS.test(line)))
    .map((line) => line.trim())
}
