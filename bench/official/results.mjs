/**
 * Results of other servers for responses of their APIs, transcribed from their source:
 * `pkg/github/minimal_types.go` of github/github-mcp-server, where fields without a value are left
 * out (`omitempty`), and `src/shared` of @stripe/agent-toolkit 0.7.
 */

/** Without empty members, as `omitempty` of Go. */
const present = (members, ...always) =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([key, value]) =>
        always.includes(key) ||
        !(
          value === undefined ||
          value === null ||
          value === "" ||
          value === 0 ||
          value === false ||
          (Array.isArray(value) && value.length === 0)
        ),
    ),
  );

const user = (one) =>
  one &&
  present(
    { login: one.login, id: one.id, profile_url: one.html_url, avatar_url: one.avatar_url },
    "login",
  );
const login = (one) => one?.login;
const labelNames = (labels) =>
  labels?.map((label) => (typeof label === "string" ? label : label.name));

const author = (one) => one && present({ name: one.name, email: one.email, date: one.date });

const reactions = (one) => {
  if (!one) return undefined;
  const {
    total_count,
    "+1": plus,
    "-1": minus,
    laugh,
    confused,
    heart,
    hooray,
    rocket,
    eyes,
  } = one;
  return { total_count, "+1": plus, "-1": minus, laugh, confused, heart, hooray, rocket, eyes };
};

const branch = (one) =>
  one && {
    ref: one.ref,
    sha: one.sha,
    ...(one.repo && {
      repo: present(
        { full_name: one.repo.full_name, description: one.repo.description },
        "full_name",
      ),
    }),
  };

const issue = (one) =>
  present(
    {
      number: one.number,
      title: one.title,
      body: one.body,
      state: one.state,
      state_reason: one.state_reason,
      locked: one.locked,
      html_url: one.html_url,
      user: user(one.user),
      author_association: one.author_association,
      labels: labelNames(one.labels),
      assignees: one.assignees?.map(login) ?? [],
      milestone: one.milestone?.title,
      comments: one.comments,
      reactions: reactions(one.reactions),
      created_at: one.created_at,
      updated_at: one.updated_at,
      closed_at: one.closed_at,
      closed_by: login(one.closed_by),
      issue_type: one.type?.name,
    },
    "number",
    "title",
    "state",
    "assignees",
  );

/** `fragmentToMinimalIssue`: list_issues asks GraphQL for these fields only. */
const listedIssue = (one) =>
  present(
    {
      number: one.number,
      title: one.title,
      body: one.body,
      state: one.state,
      user: { login: one.user?.login },
      labels: labelNames(one.labels),
      assignees: one.assignees?.map(login) ?? [],
      comments: one.comments,
      created_at: one.created_at,
      updated_at: one.updated_at,
    },
    "number",
    "title",
    "state",
    "assignees",
  );

const withoutNull = (value) =>
  Array.isArray(value)
    ? value.map(withoutNull)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, member]) =>
            member === null ? [] : [[key, withoutNull(member)]],
          ),
        )
      : value;

export const github = {
  issue,
  withoutNull,
  listIssues: (all) => ({
    issues: all.map(listedIssue),
    totalCount: all.length,
    pageInfo: {
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: "Y3Vyc29yOnYyOpK5",
      endCursor: "Y3Vyc29yOnYyOpK5",
    },
  }),
  comment: (one) =>
    present(
      {
        id: one.id,
        body: one.body,
        html_url: one.html_url,
        user: user(one.user),
        author_association: one.author_association,
        reactions: reactions(one.reactions),
        created_at: one.created_at,
        updated_at: one.updated_at,
      },
      "id",
      "html_url",
    ),
  /** `GetIssueLabels`: from GraphQL. */
  labels: (all) => ({
    labels: all.map(({ node_id: id, name, color, description }) => ({
      id,
      name,
      color,
      description,
    })),
    totalCount: all.length,
  }),
  pullRequest: (one) =>
    present(
      {
        number: one.number,
        title: one.title,
        body: one.body,
        state: one.state,
        draft: one.draft,
        merged: one.merged,
        mergeable_state: one.mergeable_state,
        html_url: one.html_url,
        user: user(one.user),
        labels: labelNames(one.labels),
        assignees: one.assignees?.map(login),
        requested_reviewers: one.requested_reviewers?.map(login),
        merged_by: login(one.merged_by),
        head: branch(one.head),
        base: branch(one.base),
        additions: one.additions,
        deletions: one.deletions,
        changed_files: one.changed_files,
        commits: one.commits,
        comments: one.comments,
        created_at: one.created_at,
        updated_at: one.updated_at,
        closed_at: one.closed_at,
        merged_at: one.merged_at,
        milestone: one.milestone?.title,
      },
      "number",
      "title",
      "state",
      "draft",
      "merged",
      "html_url",
    ),
  file: (one) =>
    present(
      {
        filename: one.filename,
        status: one.status,
        additions: one.additions,
        deletions: one.deletions,
        changes: one.changes,
        patch: one.patch,
        previous_filename: one.previous_filename,
      },
      "filename",
    ),
  review: (one) =>
    present({
      id: one.id,
      state: one.state,
      body: one.body,
      html_url: one.html_url,
      user: user(one.user),
      commit_id: one.commit_id,
      submitted_at: one.submitted_at,
      author_association: one.author_association,
    }),
  commit: (one) =>
    present({
      sha: one.sha,
      html_url: one.html_url,
      commit: {
        message: one.commit.message,
        author: author(one.commit.author),
        committer: author(one.commit.committer),
      },
      author: user(one.author),
      committer: user(one.committer),
    }),
};

export const stripe = { customers: ({ data }) => data.map(({ id }) => ({ id })) };
