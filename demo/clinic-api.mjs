// The clinic's API for the demo: the mock of the generated project, which answers from the examples
// of the document, and the state that the conversation needs. Uploaded photos can be downloaded,
// and deleted pets stay deleted.
const problem = (status, title, detail) => ({
  status,
  body: { type: "about:blank", title, status, detail },
});

export function clinicApi() {
  const photos = new Map();
  const deleted = new Set();
  return (request) => {
    const petId = request.parameters.get("petId");
    if (petId === undefined) return undefined;
    if (petId !== "pet_9TX3QA" || deleted.has(petId))
      return problem(404, "Not Found", `No pet has the ID ${petId}.`);
    switch (request.operation) {
      case "DELETE /pets/{petId}":
        deleted.add(petId);
        return { status: 204 };
      case "PUT /pets/{petId}/photo":
        photos.set(petId, Buffer.from(request.value.photo, "latin1"));
        return undefined;
      case "GET /pets/{petId}/photo":
        return photos.has(petId)
          ? { status: 200, headers: { "content-type": "image/png" }, body: photos.get(petId) }
          : problem(404, "Not Found", `${petId} has no photo.`);
      default:
        return undefined;
    }
  };
}
