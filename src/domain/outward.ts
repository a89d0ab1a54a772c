import * as z from 'zod';

/** UTC, ISO 8601 with `Z`. */
export const instantSchema = z.iso.datetime().meta({ id: 'Instant', description: 'UTC.' });
export const countSchema = z.int().min(0);
export const textSchema = z.string();
/** May be absent, but never undefined. */
export const maybe = <S extends z.ZodType>(schema: S) => z.exactOptional(schema);
export const orNull = <S extends z.ZodType>(schema: S) => schema.nullable();

/** A schema whose values have more fields within the program, which are not shown outside. */
export const alsoInside =
  <Fields>() =>
  <S extends z.ZodType>(schema: S) =>
    schema as unknown as z.ZodType<z.output<S> & Fields>;
