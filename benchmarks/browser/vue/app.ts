// biome-ignore-all lint/correctness/useHookAtTopLevel: these are Vue's, which are called in `setup`.
import { createApp, defineComponent, h, type PropType, type Ref, shallowRef, type VNode, type App as VueApp } from 'vue'
import { type Actions, type App, rendered, type Screen } from '../page/app.js'
import type { IssueData } from '../page/issues.js'

/** How a library reads, as composables; undefined while there is nothing yet. Vue's pages show fewer things than React's. */
export interface Library {
  useIssues(): Readonly<Ref<readonly IssueData[] | undefined>>
  useIssue(id: number): Readonly<Ref<IssueData | undefined>>
  usePinned(): Readonly<Ref<readonly IssueData[] | undefined>>
}

/** An empty cache, put into an app. */
export interface Cache {
  readonly actions: Actions
  install(app: VueApp): void
  end(): void
}

/** An app of Vue with a library. */
export function vueApp(library: Library, open: () => Cache): App {
  const page = pageOf(library)
  return {
    mount(root) {
      const { actions, install, end } = open()
      const screen = shallowRef<Screen>({})
      const app = createApp(() => page(screen.value))
      install(app)
      app.mount(root)
      return {
        actions,
        show(next) {
          screen.value = next
        },
        unmount() {
          app.unmount()
          end()
        },
      }
    },
  }
}

/** The views, over the composables of a library. */
function pageOf({ useIssues, useIssue, usePinned }: Library): (screen: Screen) => (VNode | false | undefined)[] {
  const List = defineComponent(() => {
    const issues = useIssues()
    return () =>
      h('ul', { 'data-part': 'list' }, issues.value?.map((issue) => h(Row, { key: issue.id, issue })) ?? 'loading')
  })
  const Pinned = defineComponent(() => {
    const issues = usePinned()
    return () =>
      h(
        'aside',
        { 'data-part': 'pinned' },
        issues.value?.map((issue) => h(Card, { key: issue.id, issue })) ?? 'loading',
      )
  })
  const Detail = defineComponent({
    props: { id: { type: Number, required: true } },
    setup({ id }) {
      const issue = useIssue(id)
      return () => h('article', { 'data-part': 'detail' }, issue.value ? [h(Text, { issue: issue.value })] : 'loading')
    },
  })
  return ({ list, pinned, detail }) => [
    pinned && h(Pinned),
    detail !== undefined && h(Detail, { id: detail, key: detail }),
    list && h(List),
  ]
}

const props = { issue: { type: Object as PropType<IssueData>, required: true } } as const

const Row = defineComponent({
  props,
  setup: (given) => () => {
    rendered.count++
    const { issue } = given
    return h('li', { 'data-id': issue.id }, [h('b', issue.title), ' ', h('i', issue.author.name)])
  },
})

const Card = defineComponent({
  props,
  setup: (given) => () => {
    rendered.count++
    const { issue } = given
    return h('section', { 'data-id': issue.id }, [h('b', issue.title), ' ', h('i', issue.author.name)])
  },
})

const Text = defineComponent({
  props,
  setup: (given) => () => {
    rendered.count++
    const { issue } = given
    return [h('b', issue.title), ' ', h('i', issue.author.name), ' ', h('em', issue.state)]
  },
})
