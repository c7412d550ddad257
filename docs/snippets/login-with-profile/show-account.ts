import { controller, getMe } from './session.js'

export function showAccount(element: HTMLElement): () => void {
  const me = controller.watch(getMe)
  const show = () => {
    const { data, loading } = me.getSnapshot()
    element.textContent = loading ? 'Loading …' : (data?.name ?? 'Sign in')
  }
  show()
  return me.subscribe(show)
}
