/** What the module of an import has as its default export. */
export type DeclaredForm =
  | DeclaredValue
  | { map: readonly (readonly [key: string, DeclaredValue])[] };

/** A string, the catalog's record, or a component of this type. */
export type DeclaredValue = 'text' | 'record' | { component: string };

/** One import as TypeScript should know it. */
export interface Declaration {
  /** As written in the source: TypeScript compares texts. */
  specifier: string;
  form: DeclaredForm;
  /** What the editor shows; none where the icon is not known yet. */
  about?:
    | {
        id: string;
        term: string;
        creator: string;
        license: string;
        /** `data:image/…;base64,…`, or `undefined` where the picture is too large for a comment. */
        preview: string | undefined;
      }
    | undefined;
}
