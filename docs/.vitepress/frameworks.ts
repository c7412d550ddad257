/** The dialects of a page, in the order of the switch; the first is what a reader sees who has chosen none. */
export const frameworks = ['react', 'vue', 'svelte', 'script'] as const
export type Framework = (typeof frameworks)[number]

export const labels: Readonly<Record<Framework, string>> = {
  react: 'React',
  vue: 'Vue',
  svelte: 'Svelte',
  script: 'Script',
}

/** What stands above a dialect where nobody can choose one, as on a forge. */
export function dialectLabel(names: readonly Framework[]): string {
  return `**${names.map((name) => labels[name]).join(', ')}**`
}

/** The name of the choice in an address and in the browser's storage. */
export const choiceName = 'framework'

export function isFramework(name: string | null | undefined): name is Framework {
  return frameworks.includes(name as Framework)
}

/**
 * Runs in the head of each page, before anything is painted: `<html data-framework>` decides by CSS what is shown, so
 * nothing moves when the page becomes interactive.
 */
export const headScript = `{
  const known = ${JSON.stringify(frameworks)}
  let choice = new URLSearchParams(location.search).get('${choiceName}')
  try {
    if (known.includes(choice)) localStorage.setItem('${choiceName}', choice)
    else choice = localStorage.getItem('${choiceName}')
  } catch {}
  document.documentElement.dataset.framework = known.includes(choice) ? choice : known[0]
}`
