/** The key under which a browser stores the user's preferences for the panel. */
const KEY = 'roundtable-devtools'

/** The user's preferences for the panel, for all pages of an origin. */
export interface Preferences {
  /** The height in px. */
  readonly height?: number
  /** The theme; empty for that of the system. */
  readonly theme?: string
}

/** Returns the stored preferences; none if the page cannot store anything. */
export function readPreferences(): Preferences {
  try {
    const { height, theme } = (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Record<string, unknown>
    return {
      ...(typeof height === 'number' && { height }),
      ...(typeof theme === 'string' && { theme }),
    }
  } catch {
    return {}
  }
}

export function keepPreferences(changed: Preferences): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readPreferences(), ...changed }))
  } catch {
    // The panel works without stored preferences.
  }
}
