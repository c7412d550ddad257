import {
  type App,
  Comment,
  type ComponentPublicInstance,
  getCurrentInstance,
  h,
  type InjectionKey,
  inject,
  onErrorCaptured,
  onMounted,
  provide,
  shallowRef,
  type VNode,
} from 'vue'
import { SERVER_ERRORS, type ServerErrors } from './controller-key.js'

/** The number of boundaries around a component. It distinguishes failed parts of a boundary from those of inner ones. */
const DEPTH: InjectionKey<number> = Symbol.for('@roundtable/vue/depth')

/** Matches Vue's description of errors of `setup`: words in development, a number in production. */
const IN_SETUP = /^setup function$|#runtime-0$/

/**
 * A Vue plugin, for an app that is rendered on a server: an `ErrorBoundary` or `AsyncBoundary` also shows the error
 * of a read or a `setup` there, in place of the failed component, and the rest of the page is rendered. Use it on
 * both sides, as Nuxt's module does.
 *
 * @remarks
 * The `error` slot gets the error's name, `code` and `status`, but not its message, which may reveal server details.
 * The server's console, or `onError` of the boundary, receives the error itself. In the browser, the boundary's content
 * is set up again: it shows the error in the server's state, or fetches again.
 *
 * @example
 * ```ts
 * import { createSSRApp } from 'vue'
 *
 * createSSRApp(App).use(createDataClient({ controller })).use(serverErrors)
 * ```
 */
export const serverErrors: { install(app: App): void } = {
  install: (app) => void app.provide(SERVER_ERRORS, useServerErrors),
}

/** Removes a failed part that a server has rendered, and returns true until the boundary is mounted and starts over. */
const useServerErrors: ServerErrors = (isServer, shown, boundary) => {
  const depth = inject(DEPTH, 0)
  provide(DEPTH, depth + 1)
  // The text of a comment that marks the error.
  const mark = `roundtable-failed-${depth}`
  // HTML that was already rendered beside a failed component cannot be removed.
  if (isServer) showFailedParts(mark, shown, boundary)
  const isRenewed = shallowRef(!isServer && removeFailed(getCurrentInstance()?.vnode.el as Node | null, mark))
  if (isRenewed.value)
    onMounted(() => {
      isRenewed.value = false
    })
  return isRenewed
}

function showFailedParts(mark: string, shown: (error: Error) => VNode[], boundary: Parameters<ServerErrors>[2]): void {
  let hasFailed = false
  onErrorCaptured((error, failed, info) => {
    if (!IN_SETUP.test(info)) return
    // The first error is the cause.
    const isFirst = !hasFailed
    hasFailed = true
    if (boundary.onError && isFirst) boundary.onError(error)
    else console.error(error)
    replace(failed, () => [h(Comment, mark), ...(isFirst ? shown(redacted(error)) : [])])
    return false
  })
}

/** Returns an error of a server as hydration sends it: without the message, which may reveal server details. */
function redacted({ name, code, status }: Error & { readonly code?: unknown; readonly status?: unknown }): Error {
  return Object.assign(new Error('This part failed on the server.'), { name, code, status })
}

/** Replaces the render function of a component whose `setup` failed on a server. */
function replace(failed: ComponentPublicInstance | null, render: () => VNode[]): void {
  const instance: unknown = failed?.$
  Object.assign(instance as object, { type: {}, inheritAttrs: false, render })
  // Vue would put a function that renders nothing here.
  Object.defineProperty(instance, 'ssrRender', { get: () => undefined, set() {} })
}

/** Empties the markup of a boundary, which is a fragment between two comments, if it contains the mark. */
function removeFailed(start: Node | null, mark: string): boolean {
  if (!isComment(start, '[')) return false
  let depth = 1
  let end: Node | null = start
  while (depth > 0 && end) {
    end = end.nextSibling
    if (isComment(end, '[')) depth++
    else if (isComment(end, ']')) depth--
  }
  if (!end) return false
  const markup = document.createRange()
  markup.setStartAfter(start)
  markup.setEndBefore(end)
  const comments = document.createTreeWalker(markup.commonAncestorContainer, NodeFilter.SHOW_COMMENT)
  comments.currentNode = start
  for (let node = comments.nextNode(); node && node !== end; node = comments.nextNode()) {
    if (!isComment(node, mark)) continue
    markup.deleteContents()
    return true
  }
  return false
}

function isComment(node: Node | null, text: string): node is Node {
  return node?.nodeType === Node.COMMENT_NODE && node.nodeValue === text
}
