import { element } from '../app/element.js'
import { tryAgain } from '../app/retries.js'
import { $switches } from '../app/switches.js'

const delays = [
  ['0', 'None'],
  ['400', '0.4 s'],
  ['2000', '2 s'],
  ['5000', '5 s'],
] as const

const fails = [
  ['0', 'None'],
  ['503', '503'],
  ['409', '409'],
] as const

const scopes = [
  ['writes', 'Changes'],
  ['all', 'Everything'],
] as const

/** The switches that make the server slow or let it fail, and a button that reads everything anew. */
export function makeSwitches(): HTMLElement {
  const delay = choice('delay', delays)
  const fail = choice('fail', fails)
  const scope = choice('scope', scopes)
  const form = element(
    'form',
    { className: 'switches', 'aria-label': 'How the server shall behave' },
    labelled('Delay', delay),
    labelled('Failure', fail),
    labelled('Applies to', scope),
    element('button', {
      type: 'button',
      className: 'button',
      textContent: 'Reload',
      title: 'Read everything anew',
      onclick: tryAgain,
    }),
  )
  form.addEventListener('change', () => {
    $switches.set({ delay: Number(delay.value), fail: Number(fail.value), writesOnly: scope.value === 'writes' })
    form.classList.toggle('is-on', delay.value !== '0' || fail.value !== '0')
  })
  form.addEventListener('submit', (event) => event.preventDefault())
  return form
}

function choice(name: string, options: readonly (readonly [value: string, label: string])[]): HTMLSelectElement {
  const made = options.map(([value, textContent]) => element('option', { value, textContent }))
  return element('select', { className: 'field', name }, ...made)
}

function labelled(label: string, field: HTMLElement): HTMLElement {
  return element('label', {}, element('span', { className: 'label', textContent: label }), field)
}
