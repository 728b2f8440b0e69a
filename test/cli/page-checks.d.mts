export declare function openDetails(most: number): void;
export declare function scrollWidth(): number;
export declare function focusedText(): string;
export declare function displayOf(element: unknown): string;
export declare function brokenWords(): string[];
export declare function faintTexts(): string[];
