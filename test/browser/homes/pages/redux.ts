import { reduxBridge } from '@roundtable/devtools'
import { controller, finish, TodoResource } from './app.js'

const button = document.createElement('button')
button.textContent = 'Finish'
button.addEventListener('click', () => void finish())
document.querySelector('main')?.append(button)

Object.assign(window, { end: reduxBridge(controller) })
void controller.fetch(TodoResource.getList)
