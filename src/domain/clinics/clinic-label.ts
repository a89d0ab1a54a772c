interface Named {
  clinic: string;
  name: string | null;
}

/** What people call each clinic: its name, with its key in brackets where several have the same. */
export function clinicLabels(clinics: readonly Named[]): (clinic: Named) => string {
  const names = Map.groupBy(clinics, ({ name }) => name);
  return ({ clinic, name }) => {
    if (name === null) return clinic;
    return (names.get(name)?.length ?? 0) > 1 ? `${name} (${clinic})` : name;
  };
}
