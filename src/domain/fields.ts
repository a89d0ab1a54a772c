import type * as z from 'zod';

/** How exports write a field's values. A value that does not fit its kind is text. */
export type ValueKind = 'text' | 'number' | 'decimal' | 'money' | 'date' | 'time' | 'instant';

interface FieldTraits {
  /** Default: text. */
  readonly kind?: ValueKind;
  /** `patient`: personal, shown only where patients are included. `visitor`: a visitor may have typed anything. */
  readonly from?: 'patient' | 'visitor';
  /** Neither in the change log nor in events and exports. */
  readonly isInternal?: true;
  /** Stays when the person is erased: a number or term of the clinic's or our own, or a time. */
  readonly stays?: true;
}

/** One field of an entity: everything that readers, exports, logs and erasure need to know of it. */
export interface EntityField<S extends z.ZodType = z.ZodType> extends FieldTraits {
  readonly schema: S;
}

export const field = <S extends z.ZodType>(schema: S, traits: FieldTraits = {}): EntityField<S> => ({
  schema,
  ...traits,
});

type Entity = Readonly<Record<string, EntityField>>;

/** The schemas of an entity's fields, for `z.strictObject`. */
export const schemasOf = <E extends Entity>(entity: E) =>
  Object.fromEntries(Object.entries(entity).map(([name, { schema }]) => [name, schema])) as {
    [N in keyof E]: E[N]['schema'];
  };

/** The names of the fields with this trait. */
export const namesWith = (entity: Entity, has: (field: EntityField) => unknown): string[] =>
  Object.keys(entity).filter((name) => has(entity[name] as EntityField));
