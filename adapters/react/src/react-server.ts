// The exports for server components: the components that they can render, each a client component. Hooks work in client components only.
export { AsyncBoundary, type AsyncBoundaryProps } from './async-boundary.js'
export { DataProvider, type DataProviderProps } from './data-provider.js'
export {
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  type ErrorBoundaryProps,
  type ErrorFallbackProps,
} from './error-boundary.js'
