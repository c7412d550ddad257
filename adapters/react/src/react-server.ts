// What server components see: the parts that they place on the page, each a client component. Hooks are for client components.
export { AsyncBoundary, type AsyncBoundaryProps } from './async-boundary.js'
export { DataProvider, type DataProviderProps } from './data-provider.js'
export {
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  type ErrorBoundaryProps,
  type ErrorFallbackProps,
} from './error-boundary.js'
