import { type ExportedNames, ownNames } from './known-names.js'

/** Modules whose names an example may use without importing them; what comes first counts. */
export type Shelf = readonly (readonly [module: string, names: ExportedNames])[]

/**
 * One line of imports for the names that an example uses without declaring them.
 *
 * @param script the part of the example in which names are declared
 */
export function importsFor(code: string, script: string, shelf: Shelf): string {
  const words = new Set(code.match(/[A-Za-z_$][\w$]*/g))
  for (const name of ownNames('example.tsx', script)) words.delete(name)
  let imports = ''
  for (const [module, names] of shelf) {
    const found = [...names].filter(([name]) => words.delete(name))
    if (found.length === 0) continue
    imports += `import { ${found.map(([name, { isType }]) => (isType ? `type ${name}` : name)).join(', ')} } from '${module}';`
  }
  return imports
}
