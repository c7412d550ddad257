import { createTodo, search } from './requests.js'

console.log(search.url({ text: 'milk' })) // → https://api.example.com/search?page=1&text=milk

const due = new Date('2026-03-02')
await createTodo({ title: '', due }).catch((error) => {
  console.log(error.code, error.path) // → SCHEMA $.title
})
