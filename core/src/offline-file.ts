export { fileLog } from './offline/file.js'
