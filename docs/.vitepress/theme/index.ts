import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import Layout from './Layout.vue'
import './style.css'
import { showTypesOfNames } from './typeHover.js'

export default { extends: DefaultTheme, Layout, enhanceApp: showTypesOfNames } satisfies Theme
