import { wholeNumber } from '#contract/formats/whole-number.ts'
import { fileReplySchema } from '#contract/support/support.ts'
import { FILE_TYPES } from '#contract/support/support-constants.ts'
import { type DescribedRoutes, OF_SESSIONS, REFUSED, toPlainSchema } from '#server/house/http/openapi.ts'

const BYTES = { schema: { type: 'string', format: 'binary' } }
const FILES = Object.fromEntries(FILE_TYPES.map((type) => [type, BYTES]))
const id = wholeNumber(1, Number.MAX_SAFE_INTEGER)

export const describedFiles: DescribedRoutes = {
  '/api/v1/support/files': {
    post: {
      tags: ['support'],
      operationId: 'support_createFiles',
      summary: 'Send a file, which a message then names',
      ...OF_SESSIONS,
      parameters: [
        {
          name: 'File-Name',
          in: 'header',
          required: false,
          description: 'Percent-encoded.',
          schema: { type: 'string' },
        },
      ],
      requestBody: { required: true, content: FILES },
      responses: {
        201: {
          description: 'Done',
          content: { 'application/json': { schema: toPlainSchema(fileReplySchema, 'output') } },
        },
        ...REFUSED,
      },
    },
  },
  '/api/v1/support/files/{id}': {
    get: {
      tags: ['support'],
      operationId: 'support_getFilesById',
      summary: 'Read a file',
      ...OF_SESSIONS,
      parameters: [{ name: 'id', in: 'path', required: true, schema: toPlainSchema(id, 'input') }],
      responses: { 200: { description: 'Done', content: FILES }, ...REFUSED },
    },
  },
}
