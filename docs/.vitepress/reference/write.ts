import type { Comment } from './comment.js'
import type { ReferencePage } from './pages.js'
import type { Exported, Member } from './read.js'

/** Where each name is: an address with an anchor. */
type Places = ReadonlyMap<string, string>

/** The pages as Markdown, by their file names. */
export function writeReference(pages: readonly ReferencePage[]): ReadonlyMap<string, string> {
  const files = new Map([['index.md', overview(pages)]])
  for (const page of pages) {
    const places = placesSeenFrom(page, pages)
    const sections = page.sections.map((section, i) => sectionOf(section, places, page.sections.slice(0, i)))
    files.set(`${page.path}.md`, `${headOf(page.title)}${page.intro}\n\n${sections.join('\n')}`)
  }
  return files
}

function headOf(title: string): string {
  return `---\neditLink: false\noutline: [2, 3]\n---\n\n# ${title}\n\n`
}

/** Names of the page itself come first, then core's, then those of the adapters. */
function placesSeenFrom(page: ReferencePage, pages: readonly ReferencePage[]): Places {
  const places = new Map<string, string>()
  const distance = (other: ReferencePage) =>
    other === page ? 0 : other.sections[0]?.module.startsWith('@roundtable/core') ? 1 : 2
  for (const other of pages.toSorted((a, b) => distance(a) - distance(b))) {
    for (const { name, sameAs } of allIn(other)) {
      if (places.has(name) || sameAs?.name === name) continue
      places.set(name, `${other === page ? '' : `./${other.path}.md`}#${name}`)
    }
  }
  return places
}

function allIn({ sections }: ReferencePage): readonly Exported[] {
  return sections.flatMap(({ exports }) => exports.flatMap((each) => [each, ...each.options]))
}

type Section = ReferencePage['sections'][number]

function sectionOf({ module, exports }: Section, places: Places, before: readonly Section[]): string {
  const entry = module.split('/').at(-1) ?? ''
  // Two entry points of a package may give one name to two things.
  const taken = new Set(before.flatMap((section) => section.exports.map(({ name }) => name)))
  const idOf = ({ name }: Exported) => (taken.has(name) ? `${entry}.${name}` : name)
  const borrowed = exports.filter(({ name, sameAs }) => sameAs?.name === name)
  // The members of a namespace that have another name, too, are a list below it.
  const own = exports.filter((each) => !borrowed.includes(each)).toSorted((a, b) => rankOf(a) - rankOf(b))
  const origins = [...new Set(borrowed.map(({ sameAs }) => sameAs?.module))]
  const also = borrowed.map(({ name }) => linked(`\`${name}\``, places)).join(', ')
  return [
    before.length > 0 ? `## ${module} {#entry-${entry}}\n\n` : '',
    borrowed.length > 0 ? `Everything from \`${origins.join('`, `')}\` is exported here too: ${also}.\n\n` : '',
    ...own.map((each) => describe(each, module, places, idOf(each))),
    '\n',
  ].join('')
}

/** Values come before types, and what is in a namespace after it. */
function rankOf({ name, kind, sameAs }: Exported): number {
  if (name.includes('.')) return sameAs ? 4 : 5
  if (kind === 'namespace') return 3
  return kind === 'type' || kind === 'interface' ? 1 : kind === 'class' ? -1 : 0
}

function describe(each: Exported, module: string, places: Places, id: string): string {
  const { name, kind, comment, signatures, code, members, options, inherits, sameAs } = each
  if (sameAs && name.includes('.')) return `- \`${name}\`: ${linked(`\`${sameAs.name}\``, places)}\n`
  if (sameAs) return `## ${name} {#${id}}\n\nAnother name of ${linked(`\`${sameAs.name}\``, places)}.\n\n`
  const isType = kind === 'type' || kind === 'interface'
  const documented = members.filter((member) => hasText(member.comment))
  const isWhole = isType && documented.length === 0
  return [
    `## ${name} {#${id}}\n\n`,
    `<p class="import"><code v-pre>import { ${isType ? 'type ' : ''}${name.split('.')[0]} } from '${module}'</code></p>\n\n`,
    prose(comment.text, places, name),
    codeBlock(isWhole ? [code] : signatures),
    details(comment, places, name),
    documented.map((member) => describeMember(member, id, members, places)).join(''),
    isWhole ? '' : undocumented(members, id),
    inherits.length > 0 ? `Has the members of ${list(inherits, places)} too.\n\n` : '',
    ...options.map((option) => describeOptions(option, places)),
  ].join('')
}

/** Options without an export: what they contain, below what takes them. */
function describeOptions(each: Exported, places: Places): string {
  const { name, comment, members, inherits } = each
  return [
    `## ${name} {#${name}}\n\n`,
    prose(comment.text, places, name),
    members.map((member) => describeMember(member, name, members, places)).join(''),
    inherits.length > 0 ? `Has the members of ${list(inherits, places)} too.\n\n` : '',
  ].join('')
}

function describeMember(member: Member, of: string, all: readonly Member[], places: Places): string {
  const { name, isStatic, comment, signatures } = member
  const isSecond = !isStatic && all.some((other) => other.isStatic && other.name === name)
  const id = `${of}.${isSecond ? 'prototype.' : ''}${name}`
  const shown = `${isStatic ? 'static ' : ''}${name}`
  return [
    `### ${shown} {#${id}}\n\n`,
    codeBlock(signatures),
    prose(comment.text, places, name),
    details(comment, places, name),
  ].join('')
}

/** Members that speak for themselves, or fulfil a contract that is described elsewhere. */
function undocumented(members: readonly Member[], of: string): string {
  const rest = members.filter((member) => !hasText(member.comment))
  if (rest.length === 0) return ''
  const anchors = rest.map(({ name }) => `<span id="${of}.${name}"></span>`).join('')
  return `${anchors}\n\n${codeBlock(rest.flatMap(({ signatures }) => signatures))}`
}

function details(comment: Comment, places: Places, self: string): string {
  const { defaultValue, returns, throws, examples } = comment
  const line = (label: string, text: string | undefined) =>
    text ? `**${label}:** ${linked(escaped(text), places, self)}\n\n` : ''
  return [
    line('Default', defaultValue && asCode(defaultValue)),
    line('Returns', returns),
    ...throws.map((text) => line('Throws', text.replace(/\b([A-Z]\w+Error)\b/g, '`$1`'))),
    ...examples.map(
      ({ words, language, code }) => `${prose(words, places, self)}\`\`\`${language}\n${code}\n\`\`\`\n\n`,
    ),
  ].join('')
}

function hasText({ text, examples }: Comment): boolean {
  return text !== '' || examples.length > 0
}

function prose(text: string, places: Places, self: string): string {
  return text === '' ? '' : `${linked(escaped(text), places, self)}\n\n`
}

function codeBlock(texts: readonly string[]): string {
  const code = texts.filter(Boolean).join('\n')
  return code === '' ? '' : `\`\`\`ts\n${code}\n\`\`\`\n\n`
}

/** A default that is a value; others are sentences. */
function asCode(text: string): string {
  return /^(?:true|false|undefined|-?[\d_]+|'[^']*'|\[.*\]|\{.*\}|[\w.]+\(\))$/.test(text) ? `\`${text}\`` : text
}

/** Outside of code, what looks like a tag or a template is text. */
function escaped(text: string): string {
  return text.replace(/`[^`]*`|[<{]/g, (found) => (found.length > 1 ? found : `&#${found.charCodeAt(0)};`))
}

/** Names in code lead to where they are described. */
function linked(text: string, places: Places, self?: string): string {
  return text.replace(/(?<!\[)`(\w+)`(?!\])/g, (code, name) => {
    const place = name === self ? undefined : places.get(name)
    return place ? `[${code}](${place})` : code
  })
}

function list(names: readonly string[], places: Places): string {
  return names.map((name) => linked(`\`${name}\``, places)).join(', ')
}

function overview(pages: readonly ReferencePage[]): string {
  const parts = pages.map(({ path, title, intro, sections }) => {
    const names = allIn({ path, title, intro, sections }).filter(({ name, sameAs }) => sameAs?.name !== name)
    const links = names
      .filter(({ name, sameAs }) => !(sameAs && name.includes('.')))
      .map(({ name }) => `[${name}](./${path}.md#${name})`)
    return `## [${title}](./${path}.md)\n\n<div class="names">\n\n${links.join('\n')}\n\n</div>\n`
  })
  return `${headOf('Reference')}Every export of every package, generated from the comments in the sources.\n\n${parts.join('\n')}`
}
