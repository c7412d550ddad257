import { createRequire } from 'node:module'
import vue from '@vitejs/plugin-vue'
import { at, project } from './shared.js'
import { vueTests } from './vue.js'

const vue34 = (path: string): string => at(`test/vue3.4/node_modules/vue/${path}`)

// Vue 3.4 from its own workspace, and its compiler: destructured props are reactive only since 3.5.
export default project({
  name: 'vue3.4',
  include: [...vueTests, 'test/adapters/vue3.4/**/*.test.ts'],
  plugins: [vue({ compiler: createRequire(at('test/vue3.4/'))('vue/compiler-sfc') })],
  alias: [
    { find: /^vue$/, replacement: vue34('index.mjs') },
    { find: /^vue\/server-renderer$/, replacement: vue34('server-renderer/index.mjs') },
    { find: /^vue\/dist\//, replacement: vue34('dist/') },
  ],
  test: { environment: 'happy-dom' },
})
