import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import FrameworkSelect from './FrameworkSelect.vue'
import Layout from './Layout.vue'
import './fonts.css'
import './style.css'
import { showTypesOfNames } from './typeHover.js'

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('FrameworkSelect', FrameworkSelect)
    showTypesOfNames()
  },
} satisfies Theme
