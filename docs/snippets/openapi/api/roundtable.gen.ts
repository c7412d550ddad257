// Written by @roundtable/openapi: changes are lost when it is written again.
/* eslint-disable */
import { Collection, Entity, Invalidate, RestEndpoint } from '@roundtable/core'
import type * as T from './types.gen.js'

const urlPrefix = 'https://books.example.com'

export class Author extends Entity {
  static override key = 'Author'
}
export interface Author extends T.Author {}

export class Book extends Entity {
  static override key = 'Book'
  static override get schema() {
    return { author: Author }
  }
}
export interface Book extends Omit<T.Book, 'author'> {
  author?: Author | undefined
}

/** GET /books */
export const listBooks = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/books',
    searchParams: {} as T.ListBooksData['query'],
    schema: new Collection([Book], { nonFilterArgumentKeys: ['page'] }),
    movePath: '/books/:id',
    paginationField: 'page',
  }))()

/** POST /books */
export const addBook = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/books',
    method: 'POST',
    body: {} as T.AddBookData['body'],
    schema: listBooks.schema.push,
  }))()

/** DELETE /books/{book_id} */
export const deleteBook = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/books/:id',
    method: 'DELETE',
    schema: new Invalidate(Book),
  }))()

/** PATCH /books/{book_id} */
export const changeBook = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/books/:id',
    method: 'PATCH',
    body: {} as T.ChangeBookData['body'],
    schema: Book,
  }))()

/** The endpoints of Book. */
export const BookResource = {
  getList: listBooks,
  create: addBook,
  partialUpdate: changeBook,
  delete: deleteBook,
}
