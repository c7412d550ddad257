// svelte-check reads no Vue components: to it they are components of any props. vue-tsc reads them itself and ignores this.
declare module '*.vue' {
  import type { DefineComponent } from 'vue'

  const component: DefineComponent<object, object, unknown>
  export default component
}
