/** Stands in for the folder of local files, which is left out. */
import { leftOut } from "../left-out.js";

/** Sentence for the user who asks for the folder. */
export const filesProblem: string | undefined = leftOut("the folder of --files", "files");

export const openFolder = async (_path: string): Promise<string> => "is left out";
