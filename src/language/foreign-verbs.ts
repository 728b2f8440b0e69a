/** Verbs of operationIds in other languages, in ASCII letters, with their English counterparts. */

const ROWS: readonly (readonly [english: string, verbs: string])[] = [
  ["add", "agregar ajouter anadir hinzufuegen adicionar aggiungere"],
  ["cancel", "annuler cancelar stornieren"],
  ["create", "anlegen crear creer criar erstellen creare"],
  ["delete", "apagar borrar deletar effacer eliminar eliminare excluir loeschen supprimer"],
  ["download", "descargar herunterladen telecharger"],
  [
    "get",
    "abrufen afficher consulter consultar holen obtener obtenir obter ottenere recuperer recuperar",
  ],
  ["list", "auflisten elencare listar lister"],
  ["search", "buscar cercare chercher rechercher suchen"],
  ["send", "enviar envoyer inviare senden"],
  ["update", "aendern actualizar aggiornare aktualisieren atualizar modificar modifier"],
  ["validate", "validar valider validieren"],
];

const ENGLISH: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([english, verbs]) => verbs.split(" ").map((verb) => [verb, english] as const)),
);

/** `creer` → create; other words are returned unchanged. */
export const translateVerb = (word: string): string => ENGLISH.get(word) ?? word;
