import vue from '@vitejs/plugin-vue'
import { project } from './shared.js'

export const vueTests = ['test/adapters/vue/**/*.test.ts']

export default project({ name: 'vue', include: vueTests, plugins: [vue()], test: { environment: 'happy-dom' } })
