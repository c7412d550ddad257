import { Controller } from '@roundtable/core'
import { connect, openDevtools } from '@roundtable/devtools'
import { mount } from 'svelte'
import { controller } from './app.js'
import { mountReact } from './react.js'
import Reader from './reader.svelte'
import { mountVue } from './vue.js'

const section = (id: string): HTMLElement => document.getElementById(id) as HTMLElement

Object.assign(window, {
  show: {
    react: mountReact(section('react')),
    vue: mountVue(section('vue')),
    svelte: mount(Reader, { target: section('svelte') }).show,
  },
  connectAnother: () => connect(new Controller()),
})
void openDevtools(connect(controller))
