// Every name that data-client 0.18 exports for applications, and earlier versions did: it is here, or what it was used
// for throws at once with what to write, or the page "Coming from data-client" says that it is not carried.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as core from '@data-client/core'
import * as endpoint from '@data-client/endpoint'
import * as normalizr from '@data-client/normalizr'
import * as react from '@data-client/react'
import * as rest from '@data-client/rest'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const words = (text: string): readonly string[] => text.trim().split(/\s+/)

interface Exports {
  readonly carried: string
  /** They throw a `NotCarriedError` when they are called. */
  readonly refused?: string
  /** A missing export is an error where it is imported; the page names them. */
  readonly missing?: string
  readonly types: string
  /** Types of code that walks schemas or the state: importing them does not compile. */
  readonly missingTypes?: string
}

const schemas = 'Entity EntityMixin Union Values Collection Invalidate Query All Lazy Scalar'
const endpointValues = `Endpoint ExtendableEndpoint ${schemas} unshift validateRequired schema INVALID`
const endpointTypes = `EndpointOptions EndpointInstance EndpointInstanceInterface EndpointInterface ReadEndpoint MutateEndpoint
  EndpointExtraOptions FetchFunction ResolveType EndpointParam EndpointToFunction Schema SchemaSimple SchemaClass SchemaArgs SchemaToArgs
  Queryable EntityInterface PolymorphicInterface SnapshotInterface ExpiryStatusInterface Denormalize DenormalizeNullable DenormalizeObject
  Normalize NormalizeNullable EntityFields AbstractInstanceType NetworkError UnknownError ErrorTypes`
const walkers = `EndpointExtendOptions KeyofEndpointInstance Serializable Mergeable Visit CheckLoop EntityPath IndexPath EntitiesPath
  EntitiesInterface GetEntity GetIndex NormalizedIndex EntityTable INormalizeDelegate IDenormalizeDelegate IQueryDelegate
  DenormalizeNullableObject NormalizeObject NormalizedNullableObject NormalizedEntity ObjectArgs EntityMap RecordClass NI IEntityClass
  IEntityInstance DefaultArgs Array Object`
const actionTypes = `ActionTypes ActionMeta FetchAction SetAction SetResponseAction OptimisticAction SubscribeAction UnsubscribeAction
  InvalidateAction InvalidateAllAction ExpireAllAction ResetAction GCAction`
const coreTypes = `State PK Manager Middleware MiddlewareAPI Dispatch DataClientDispatch GenericDispatch ${actionTypes}`

/** By the entry of this package. */
const exported: Readonly<Record<string, Exports>> = {
  endpoint: { carried: endpointValues, refused: 'Index AbortOptimistic', types: endpointTypes, missingTypes: walkers },
  rest: {
    carried: `RestEndpoint resource createResource hookifyResource NetworkError getUrlBase getUrlTokens
      ${endpointValues}`,
    refused: 'Index AbortOptimistic',
    types: `RestGenerics Defaults GetEndpoint MutateEndpoint PaginationEndpoint PaginationFieldEndpoint Resource ResourceOptions
      HookResource PathArgs PathKeys KeysToArgs PathArgsAndSearch ShortenPath ContentType RestInstance RestType`,
    missingTypes: `RestEndpointConstructorOptions KeyofRestEndpoint IRestEndpoint AddEndpoint RestFetch FetchGet FetchMutate OptionsToFunction
      ResourceGenerics ResourceInterface ResourceExtension ResourceEndpointExtensions CustomResource ExtendedResource
      HookableEndpointInterface CollectionOptions`,
  },
  normalizr: {
    carried: 'normalize denormalize INVALID ExpiryStatus isEntity validateQueryKey',
    refused: 'MemoCache WeakDependencyMap BaseDelegate MemoPolicy',
    types: endpointTypes,
    missingTypes: `NormalizeReturnType NormalizedSchema IMemoPolicy EntityCache EndpointsCache DenormGetEntity UpdateFunction
      OptimisticUpdateParams IndexInterface IndexParams InferReturn ${walkers}`,
  },
  core: {
    carried: `Controller initialState NetworkManager ResetError SubscriptionManager DevToolsManager LogoutManager GCPolicy ImmortalGCPolicy
      ExpiryStatus actionTypes PollingSubscription DefaultConnectionListener actions`,
    refused: 'createReducer applyManager initManager createFetch createSet',
    missing: '__INTERNAL__',
    types: coreTypes,
    missingTypes: `FetchMeta FetchingMeta ConnectionListener DevToolsConfig GCInterface GCOptions CreateCountRef EndpointUpdateFunction
      ResultEntry`,
  },
  react: {
    carried: `useSuspense useDLE useCache useFetch useLive useSubscription useQuery useError useController useLoading useDebounce useCancelling
      DataProvider CacheProvider AsyncBoundary ErrorBoundary NetworkErrorBoundary BackupLoading UniversalSuspense getDefaultManagers Controller
      ExpiryStatus actionTypes GCPolicy NetworkManager IdlingNetworkManager SubscriptionManager PollingSubscription DefaultConnectionListener
      LogoutManager DevToolsManager`,
    missing: 'StateContext ControllerContext StoreContext usePromisifiedDispatch __INTERNAL__',
    types: `ProviderProps ${coreTypes}`,
    missingTypes: 'DevToolsPosition Store GCInterface GCOptions CreateCountRef UpdateFunction',
  },
}
const ours: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { core, endpoint, normalizr, react, rest }
/** data-client itself, as Node finds it: the newest versions that the registry has together. */
const require18 = createRequire(join(root, 'test/react18/package.json'))
const installed = (entry: string): object => require18(`@data-client/${entry}`) as object
/** Modules without an entry here: the page and the codemod say what there is in their place. */
const modules = words(
  '@data-client/react/nextjs @data-client/react/ssr @data-client/react/redux @data-client/test @data-client/vue @data-client/graphql @data-client/img @data-client/normalizr/imm',
)
const page = readFileSync(join(root, 'docs/coming-from/data-client.md'), 'utf8')

describe.each(Object.entries(exported))('@data-client/%s', (entry, { carried, refused = '', missing = '' }) => {
  const names = ours[entry] as Readonly<Record<string, unknown>>

  test('what is carried is there', () => {
    for (const name of words(carried)) expect(names[name], name).toBeDefined()
  })

  test('what has no counterpart throws when it is called, and says what to write', () => {
    for (const name of words(refused).filter(Boolean)) {
      const Refused = names[name] as { new (): unknown; (): unknown }
      for (const use of [() => Refused(), () => new Refused()])
        expect(use, name).toThrow(
          expect.objectContaining({ name: 'NotCarriedError', member: expect.stringContaining(name) }),
        )
    }
  })

  test('what is missing is not exported, and the page names it', () => {
    for (const name of words(missing).filter(Boolean)) {
      expect(names[name], name).toBeUndefined()
      expect(page.includes(`\`${name}\``), name).toBe(true)
    }
  })

  test('no value of the installed version was forgotten', () => {
    const known = words(`${carried} ${refused} ${missing}`)
    // What 0.9 and 0.10 export and no later version does.
    const gone = ['default', 'module.exports', '__esModule']
    const forgotten = Object.keys(installed(entry)).filter((name) => ![...known, ...gone].includes(name))
    expect(forgotten).toEqual([])
  })
})

test('each type that is carried is exported, and no other is named twice', () => {
  for (const [entry, { types, missingTypes = '' }] of Object.entries(exported)) {
    const declared = typesOf(entry)
    expect(
      words(types).filter((name) => !declared.has(name)),
      entry,
    ).toEqual([])
    expect(
      words(missingTypes).filter((name) => declared.has(name)),
      entry,
    ).toEqual([])
  }
})

test('each module that is not carried is on the page', () => {
  for (const name of modules) expect(page.includes(`\`${name}\``), name).toBe(true)
})

/** The names of an entry as its sources write them, with those that it takes from others. */
function typesOf(entry: string): ReadonlySet<string> {
  const text = readFileSync(join(root, `compat/data-client/src/${entry}.ts`), 'utf8')
  const names = new Set<string>()
  for (const [, name = ''] of text.matchAll(/^export (?:type|interface|class|const|function) (\w+)/gm)) names.add(name)
  for (const [, list = ''] of text.matchAll(/^export (?:type )?\{([^}]*)\}/gm))
    for (const item of list.split(',')) {
      const name = item
        .trim()
        .split(/\s+as\s+|\s+/)
        .at(-1)
      if (name) names.add(name)
    }
  for (const [, from = ''] of text.matchAll(/^export (?:type )?\* from '\.\/([\w-]+)\.js'/gm))
    for (const name of typesOf(from)) names.add(name)
  return names
}
