import * as z from 'zod';
import { textSchema } from '../../domain/outward.ts';

/** The body of every refusal; browsers get a page. */
export const refusalSchema = z
  .strictObject({
    ok: z.literal(false),
    message: textSchema,
    hint: textSchema.optional().meta({ description: 'What to do about it.' }),
  })
  .meta({ id: 'Refusal' });

/** The answer of an action to programs; browsers are sent back to their page. */
export const done = z
  .strictObject({
    ok: z.literal(true),
    message: textSchema.meta({ description: 'One sentence for a person.' }),
    lines: z
      .array(
        z.strictObject({
          level: z.enum(['ok', 'warn', 'fail']),
          what: textSchema,
          hint: textSchema.optional(),
        }),
      )
      .optional()
      .meta({ description: 'What a check found.' }),
  })
  .meta({ id: 'Done' });
