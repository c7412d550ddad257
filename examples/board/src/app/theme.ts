import { byId } from './element.js'
import { type IconName, icon } from './icons.js'

type Theme = 'system' | 'light' | 'dark'

const KEY = 'board.theme'
const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const looks: Record<Theme, { icon: IconName; label: string }> = {
  system: { icon: 'system', label: 'Auto' },
  light: { icon: 'light', label: 'Light' },
  dark: { icon: 'dark', label: 'Dark' },
}

/** Makes the button that goes from the system's colours to light, to dark and back; a reload remembers the choice. */
export function startTheme(): void {
  const button = byId('theme')
  let theme = current()
  show()
  button.addEventListener('click', () => {
    theme = next[theme]
    apply(theme)
    show()
  })

  function show(): void {
    const { icon: name, label } = looks[theme]
    button.replaceChildren(icon(name), label)
    button.title = `Colours: ${label}. Press for ${looks[next[theme]].label.toLowerCase()}.`
  }
}

// index.html has set it before the page was painted.
function current(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // A page that may keep nothing forgets the choice.
  }
}
