export { useConnection } from './use-connection.js'
