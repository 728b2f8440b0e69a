export function packageProject(): Promise<Readonly<Record<string, string>>>;
export function smallRuntime(): Promise<Readonly<Record<string, string>>>;
