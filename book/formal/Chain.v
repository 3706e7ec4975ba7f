(* Lemma 3 fails for every k >= 3, whatever the constant in its bound. *)
From Coq Require Import Reals Lra Lia Psatz.
Require Import Angles Lemma3 Vectors.
Local Open Scope R_scope.

(* The learned vectors: each leans on the one before it; then come axes.
   The true ones: the first three are raised, with alternating signs. *)
Definition chain L i := match i with
  0 => vec4 1 0 0 0 | 1 => vec4 L 1 0 0 | 2 => vec4 0 L 1 0 | _ => axis (S i)
  end%nat.
Definition raised L d i := match i with
  0 => vec4 1 0 0 d | 1 => vec4 L 1 0 (- L * d) | 2 => vec4 0 L 1 (L * d)
  | _ => axis (S i) end%nat.

Section Chain.
Variables (n k : nat) (L d : R).
Hypotheses (Hk : (3 <= k < n)%nat) (HL : 1 <= L) (Hd : 0 < d).

(* The separation is the arctangent of 1/L. *)
Lemma chain_apart i : (1 <= i < k)%nat ->
  apart n (chain L i) i (chain L) (atan (1 / L)).
Proof.
  intros Hi v Hv Nv; pose proof (dot_more n v ltac:(lia)) as M.
  pose proof Hv as [c Hc]; destruct i as [|[|[|i]]]; try lia.
  - apply (lever _ _ _ _ (c 0%nat)); trivial; try lra; rewrite ?Hc in M; four;
      rewrite ?Hc; cbn; try ring; nra.
  - apply (lever _ _ _ _ (c 1%nat)); trivial; try lra; rewrite ?Hc in M; four;
      rewrite ?Hc; cbn; try ring.
    pose proof (pow2_ge_0 (c 0%nat + c 1%nat * L)); lra.
  - apply right_angle; trivial; try lra; cbn [chain]; try apply nonzero_axis; try lia.
    rewrite dot_axis by lia; apply (span_zero _ _ _ _ Hv).
    intros [|[|[|m]]] Hm; trivial; cbn; unfold axis.
    destruct (Nat.eqb_spec (S (S (S (S i)))) (S (S (S (S m))))); [lia|trivial].
Qed.

(* The errors are at most d. *)
Lemma raised_close i : (i < k)%nat -> nonzero n (raised L d i) /\
  nonzero n (chain L i) /\ angle n (raised L d i) (chain L i) <= d.
Proof.
  intros Hi; assert (N : nonzero n (raised L d i) /\ nonzero n (chain L i)).
  { destruct i as [|[|[|i]]]; try (split; unfold nonzero; four; nra).
    split; apply nonzero_axis; lia. }
  destruct N as [N1 N2]; split; [|split]; trivial.
  apply Rle_trans with (atan d); [|apply atan_le; lra].
  apply angle_le; trivial; try lra;
    (destruct i as [|[|[|i]]]; [four; nra..|]); cbn [raised chain];
    rewrite dot_axis by lia; unfold axis; rewrite Nat.eqb_refl; nra.
Qed.

(* The true span has (0, 0, 1, (2 L^2 + L) d); the learned one is flat. *)
Lemma raised_far x : 0 <= x <= (2 * L ^ 2 + L) * d -> forall w, w < atan x ->
  ~ within n k (raised L d) (chain L) w.
Proof.
  intros Hx w Hw H; pose (u := vec4 0 0 1 ((2 * L ^ 2 + L) * d)).
  destruct (H u) as (v & Hv & Nv & A).
  - exists (fun i => match i with
      0%nat => L ^ 2 | 1%nat => - L | 2%nat => 1 | _ => 0 end).
    intros j; rewrite (sum_few 3) by (try lia; intros [|[|[|i]]] ?; try lia; ring).
    destruct j as [|[|[|[|j]]]]; cbn -[IZR pow]; ring.
  - unfold nonzero, u; four; nra.
  - apply (Rlt_not_le _ _ Hw); eapply Rle_trans; [|exact A].
    pose proof (dot_more n v ltac:(lia)) as M.
    apply angle_ge; trivial; try lra; [unfold nonzero, u; four; nra|].
    assert (Z : v 3%nat = 0) by
      (apply (span_zero _ _ _ 3%nat Hv); intros [|[|[|i]]] _; trivial).
    unfold u; four; rewrite Z in *.
    set (y := v 2%nat) in *; set (h := (2 * L ^ 2 + L) * d) in *.
    assert (x ^ 2 <= h ^ 2 /\ y ^ 2 <= dot n v v) by nra.
    apply Rle_trans with ((1 + h ^ 2) * dot n v v); [|right; ring].
    apply Rle_trans with ((1 + x ^ 2) * y ^ 2); [right; ring|].
    apply Rmult_le_compat; nra.
Qed.
End Chain.


(* Whatever the constant K, and however small the errors. *)
Theorem Lemma3_every n k K : (3 <= k < n)%nat -> exists g, 0 < g <= PI / 2 /\
  forall eps, 0 < eps <= g ^ 2 / (10 * INR k) -> exists a t,
  hypotheses n k a t eps g /\ ~ within n k a t (K * (2 * INR k * eps / g)).
Proof.
  intros Hk; assert (K3 : 3 <= INR k).
  { replace 3 with (INR 3) by (cbn; ring); apply le_INR; lia. }
  set (L := 3 * (Rabs K + 1) * INR k).
  pose proof (Rabs_pos K); pose proof (RRle_abs K).
  assert (L1 : 9 <= L) by (unfold L; nra).
  assert (0 < 1 / L <= 1 / 9) as [L2 L3].
  { split; [apply Rdiv_lt_0_compat; lra|].
    apply Rmult_le_reg_r with (9 * L); [lra|field_simplify; lra]. }
  assert (G : 2 / 3 * (1 / L) <= atan (1 / L) <= 1 / L).
  { split; [apply atan_more|apply atan_le]; lra. }
  assert (GL : 2 / 3 <= atan (1 / L) * L <= 1).
  { split;
    [apply Rle_trans with (2 / 3 * (1 / L) * L)|apply Rle_trans with (1 / L * L)];
    try (apply Rmult_le_compat_r; lra); right; field; lra. }
  pose proof (atan_bound (1 / L)); set (g := atan (1 / L)) in *.
  exists g; split; [lra|]; intros eps [E0 E1].
  exists (raised L eps), (chain L); split.
    pose proof (raised_close n k L eps Hk) as C.
    split; [lra|split; [lra|split; [|split]]]; intros i Hi; [| |now apply C].
    + split; now apply C.
    + apply chain_apart with k; lra || lia.
  - assert (E2 : L ^ 2 * eps <= 1 / 30).
    { assert (g ^ 2 * L ^ 2 <= 1) by (rewrite <- Rpow_mult_distr; nra).
      assert (g ^ 2 / (10 * INR k) <= g ^ 2 / 30).
      { apply Rmult_le_compat_l; [nra|]; apply Rinv_le_contravar; lra. }
      nra. }
    apply raised_far with ((2 * L ^ 2 + L) * eps); trivial; try lra; [split; nra|].
    apply Rlt_le_trans with (2 / 3 * ((2 * L ^ 2 + L) * eps)); [|apply atan_more; nra].
    apply Rmult_lt_reg_r with g; [lra|].
    replace (K * (2 * INR k * eps / g) * g) with (2 * K * INR k * eps) by (field; lra).
    apply Rlt_le_trans with (2 / 3 * L * eps); 
      [apply Rmult_lt_compat_r; trivial; unfold L; nra|].
    replace (2 / 3 * ((2 * L ^ 2 + L) * eps) * g)
      with (2 / 3 * L * eps * ((2 * L + 1) * g)) by ring.
    rewrite <- (Rmult_1_r (2 / 3 * L * eps)) at 1; apply Rmult_le_compat_l; nra.
Qed.
Print Assumptions Lemma3_every.
