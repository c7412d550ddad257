import { entityOf } from '@roundtable/core/schema'
import * as z from 'zod'

const CategorySchema = z.object({
  id: z.number(),
  name: z.string(),
  get children() {
    return z.array(CategorySchema)
  },
})

export class Category extends entityOf(CategorySchema, {
  key: 'Category',
}) {
  static override schema = { children: [Category] }
  declare children: Category[]
}
