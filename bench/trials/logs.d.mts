export interface TrialVariant {
  readonly server: string;
  readonly variant: string;
  readonly judgement: {
    readonly calls: readonly number[];
    readonly tasks: Readonly<Record<string, { readonly done: boolean | "impossible" }>>;
  };
}
export const servers: readonly string[];
export function variantsOf(server: string): readonly TrialVariant[];
export function transcriptOf(variant: TrialVariant): string;
export function tasksFile(variant: TrialVariant): string | undefined;
