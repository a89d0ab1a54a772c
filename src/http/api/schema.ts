import * as z from 'zod';

/** Accepts only a schema whose values are exactly those of `T`, so that neither can change without the other. */
export const exactly =
  <T>() =>
  <S extends z.ZodType>(
    schema: S & ([z.output<S>, T] extends [T, z.output<S>] ? unknown : never),
  ): z.ZodType<T> =>
    schema as unknown as z.ZodType<T>;

/** UTC, ISO 8601 with `Z`. */
export const instant = z.iso.datetime().meta({ id: 'Instant', description: 'UTC.' });
export const count = z.int().min(0);
export const text = z.string();
/** May be absent, but never undefined. */
export const maybe = <S extends z.ZodType>(schema: S) => z.exactOptional(schema);
export const orNull = <S extends z.ZodType>(schema: S) => schema.nullable();

/** The body of every refusal; browsers get a page. */
export const refusal = z
  .strictObject({
    ok: z.literal(false),
    message: text,
    hint: text.optional().meta({ description: 'What to do about it.' }),
  })
  .meta({ id: 'Refusal' });

/** The answer of an action to programs; browsers are sent back to their page. */
export const done = z
  .strictObject({
    ok: z.literal(true),
    message: text.meta({ description: 'One sentence for a person.' }),
    lines: z
      .array(z.strictObject({ level: z.enum(['ok', 'warn', 'fail']), what: text, hint: text.optional() }))
      .optional()
      .meta({ description: 'What a check found.' }),
  })
  .meta({ id: 'Done' });
